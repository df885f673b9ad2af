"""Lays a reader out in ./build: python3 ../build.py, from the reader's folder.

A contained reader sees no files but its own, so the kit and all that readers share are copied.
"""

import pathlib
import shutil

here = pathlib.Path(__file__).resolve().parent
build = pathlib.Path("build")
shutil.rmtree(build, ignore_errors=True)
build.mkdir()
shared = set(here.glob("*.py")) - {here / "build.py"}
for source in [here.parent / "kits/python/tracegauge.py", *shared, *pathlib.Path().glob("*.py")]:
    shutil.copyfile(source, build / source.name)
