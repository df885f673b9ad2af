"""Assembles a reader in ./build: python3 ../build.py, in the reader's folder.

A contained reader can access only its own files, so the kit and the shared modules are copied.
"""

import pathlib
import shutil

here = pathlib.Path(__file__).resolve().parent
build = pathlib.Path("build")
shutil.rmtree(build, ignore_errors=True)
build.mkdir()
shared = set(here.glob("*.py")) - {here / "build.py"}
kit = here.parents[1] / "cli/templates/python/tracegauge.py"
for source in [kit, *shared, *pathlib.Path().glob("*.py")]:
    shutil.copyfile(source, build / source.name)
