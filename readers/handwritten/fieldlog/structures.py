"""Items and the structures in them, member by member, in the order of the specification."""

from names import OS_EDITION, OS_TYPE, OS_VERSION, PRIORITY, SCOPE_TYPE
from scalars import I16, I32, I64, U8, U16, U32, count, enum, guid, string, time
from tracegauge import Rejection, Rendered

VERSIONS = 1, 2

# The maximum nesting of inner exceptions.
MAX_DEPTH = 10_000
# The number of levels to render at a time, because a file may nest deeper than Python's stack.
RENDERED = 50


class Structure:
    """Members by name. Each is `(name, read)`, or `(name, read, version)` if it exists only in that
    version of the format. A structure can also be read as a member of another one."""

    def __init__(self, *members):
        self.members = {
            version: [(name, read) for name, read, *only in members if version in (only or VERSIONS)]
            for version in VERSIONS
        }

    def __call__(self, body, _what=None):
        return {name: read(body, name) for name, read in self.members[body.version]}


BASE = (
    ("time", time),
    ("counter", I32),
    ("priority", enum(PRIORITY)),
    ("session", guid),
    ("thread", I32),
    ("web_request", U32, 2),
)

ENVIRONMENT = Structure(
    ("os_type", enum(OS_TYPE)),
    ("os_version", enum(OS_VERSION)),
    ("os_edition", enum(OS_EDITION)),
    ("os_service_pack", string),
    ("os_build", I32),
    ("os_service_pack_build", I32),
    ("os_product_name", string),
    ("os_language", string),
    ("os_last_boot", time),
    ("app_compat_layer", string),
    ("clr_type", string),
    ("mouse_buttons", U8),
    ("touch_points", U8),
    ("screen_dpi", U16),
    ("culture", string),
    ("current_directory", string),
    ("environment_variables", string),
    ("cpu_count", U16),
    ("host_name", string),
    ("user_name", string),
    ("executable_path", string),
    ("command_line", string),
    ("app_version", string),
    ("app_configuration", string, 2),
    ("clr_version", string),
    ("time_zone_offset", I16),
    ("process_memory", I64),
    ("peak_process_memory", I64),
    ("total_memory", I64),
    ("available_memory", I64),
    ("process_id", I32),
    ("screen_width", U16),
    ("screen_height", U16),
    ("screen_bits", U8),
    ("work_left", U16),
    ("work_top", U16),
    ("work_width", U16),
    ("work_height", U16),
    ("screen_count", U8),
    ("flags", U8),
)

WEB_REQUEST_DATA = Structure(
    ("url", string),
    ("method", string),
    ("client_address", string),
    ("client_host", string),
    ("referrer", string),
    ("user_agent", string),
    ("accept_languages", string),
    ("accept_types", string),
    ("web_session_id", string),
    ("app_user_id", string),
    ("app_user_name", string),
)

STACK_FRAME = Structure(
    ("module", string),
    ("token", I32, 2),
    ("il_offset", I32, 2),
    ("type", string),
    ("method", string),
    ("signature", string),
    ("file", string),
    ("line", I32),
    ("column", I32),
)


def stack_frames(body, _what):
    return [STACK_FRAME(body) for _ in range(count(body, "frame_count"))]


EXCEPTION_START = Structure(
    ("type", string),
    ("type_module", string, 2),
    ("token", I32, 2),
    ("message", string),
    ("code", I32),
    ("data", string),
    ("frames", stack_frames),
)


def exception_data(body, _what):
    """Reads exceptions iteratively, because a file may nest them deeper than Python's stack."""
    outermost = {}
    # Incomplete exceptions, each with the inner exceptions read so far and the number of those
    # still to come.
    pending = [(outermost, [], 1)]
    while pending:
        exception, inner, left = pending.pop()
        if not left:
            exception["inner"] = inner if (len(pending) + 1) % RENDERED else Rendered(inner)
            continue
        pending.append((exception, inner, left - 1))
        if len(pending) > MAX_DEPTH:
            raise Rejection(f"exceptions are nested more than {MAX_DEPTH} deep", "unsupported", body.at)
        inner.append(EXCEPTION_START(body))
        pending.append((inner[-1], [], count(body, "inner_count")))
    return inner[0]


TEXT = Structure(*BASE, ("text", string), ("details", string))
DATA = Structure(*BASE, ("name", string), ("value", string))
EXCEPTION = Structure(
    *BASE,
    ("exception", exception_data),
    ("context", string),
    ("environment", ENVIRONMENT),
)

SCOPE_START = Structure(*BASE, ("type", enum(SCOPE_TYPE)), ("level", I32), ("name", string))
# The members that follow, by the type of the scope.
SCOPE_REST = {
    "thread_start": Structure(("thread_flags", U8)),
    "log_start": Structure(("environment", ENVIRONMENT)),
    "web_request_start": Structure(("web", WEB_REQUEST_DATA, 2)),
}
NOTHING = Structure()


def scope(repeated):
    def read(body):
        start = SCOPE_START(body)
        return {"repeated": repeated, **start, **SCOPE_REST.get(start["type"], NOTHING)(body)}

    return read
