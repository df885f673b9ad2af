"""Converts the real reader's output for a real file to canonical records."""

import datetime

import names

BASE = {"EventCounter": "counter", "SessionId": "session", "ThreadId": "thread"}
NEWER_BASE = {**BASE, "WebRequestId": "web_request"}

EXCEPTION = {"Type": "type", "Message": "message", "Code": "code", "Data": "data"}
NEWER_EXCEPTION = {**EXCEPTION, "TypeModule": "type_module", "Token": "token"}

FRAME = {
    "Module": "module", "TypeName": "type", "MethodName": "method", "MethodSignature": "signature",
    "FileName": "file", "Line": "line", "Column": "column",
}
NEWER_FRAME = {**FRAME, "Token": "token", "ILOffset": "il_offset"}

ENVIRONMENT = {
    "OSServicePack": "os_service_pack", "OSBuild": "os_build", "OSServicePackBuild": "os_service_pack_build",
    "OSProductName": "os_product_name", "OSLanguage": "os_language", "AppCompatLayer": "app_compat_layer",
    "ClrType": "clr_type", "MouseButtons": "mouse_buttons", "MaxTouchPoints": "touch_points",
    "ScreenDpi": "screen_dpi", "CultureName": "culture", "CurrentDirectory": "current_directory",
    "EnvironmentVariables": "environment_variables", "CpuCount": "cpu_count", "HostName": "host_name",
    "UserName": "user_name", "ExecutablePath": "executable_path", "CommandLine": "command_line",
    "AppVersion": "app_version", "ClrVersion": "clr_version", "ProcessId": "process_id",
    "PrimaryScreenWidth": "screen_width", "PrimaryScreenHeight": "screen_height",
    "PrimaryScreenBitsPerPixel": "screen_bits", "PrimaryScreenWorkingAreaLeft": "work_left",
    "PrimaryScreenWorkingAreaTop": "work_top", "PrimaryScreenWorkingAreaWidth": "work_width",
    "PrimaryScreenWorkingAreaHeight": "work_height", "ScreenCount": "screen_count",
}
NEWER_ENVIRONMENT = {**ENVIRONMENT, "AppAsmConfiguration": "app_configuration"}
# The sidecars contain these numbers as texts.
ENVIRONMENT_NUMBERS = {
    "LocalTimeZoneOffset": "time_zone_offset", "ProcessMemory": "process_memory",
    "PeakProcessMemory": "peak_process_memory", "TotalMemory": "total_memory", "AvailableMemory": "available_memory",
}
FLAGS = "OSIs64Bit", "OSIsAppServer", "OSIsFailSafeBoot", "IsInteractive", "IsProcess64Bit", "IsAdministrator"

WEB = {
    "RequestUrl": "url", "Method": "method", "ClientAddress": "client_address", "ClientHostName": "client_host",
    "Referrer": "referrer", "UserAgent": "user_agent", "AcceptLanguages": "accept_languages",
    "Accept": "accept_types", "WebSessionId": "web_session_id", "AppUserId": "app_user_id",
    "AppUserName": "app_user_name",
}


def renamed(found, members):
    return {ours: found[theirs] for theirs, ours in members.items() if found[theirs] is not None}


def time(found):
    seconds, ticks = divmod(int(found["ticks"]), 10**7)
    date = datetime.datetime(1, 1, 1) + datetime.timedelta(seconds=seconds)
    return f"{date.isoformat()}.{ticks:07}Z"


def enum(found, declared):
    value = int(found.split("=")[1])
    return declared.get(value, value)


def environment(found, newer):
    return {
        **renamed(found, NEWER_ENVIRONMENT if newer else ENVIRONMENT),
        **{ours: int(found[theirs]) for theirs, ours in ENVIRONMENT_NUMBERS.items()},
        "os_type": enum(found["OSType"], names.OS_TYPE),
        "os_version": enum(found["OSVersion"], names.OS_VERSION),
        "os_edition": enum(found["OSEdition"], names.OS_EDITION),
        "os_last_boot": time(found["OSLastBootTime"]),
        "flags": sum(found[flag] << bit for bit, flag in enumerate(FLAGS)),
    }


def exception(found, newer):
    return {
        **renamed(found, NEWER_EXCEPTION if newer else EXCEPTION),
        "frames": [renamed(frame, NEWER_FRAME if newer else FRAME) for frame in found["StackFrames"]],
        "inner": [exception(inner, newer) for inner in found["InnerExceptions"]],
    }


def scope(found, newer):
    members = {"repeated": found["IsRepeated"], "type": enum(found["Type"], names.SCOPE_TYPE)}
    members.update(renamed(found, {"Level": "level", "Name": "name"}))
    if members["type"] == "thread_start":
        members["thread_flags"] = found["IsBackgroundThread"] + 2 * found["IsPoolThread"]
    if members["type"] == "log_start":
        members["environment"] = environment(found["EnvironmentData"], newer)
    if members["type"] == "web_request_start" and newer:
        members["web"] = renamed(found["WebRequestData"], WEB)
    return members


def exception_item(found, newer):
    return {
        "exception": exception(found["Exception"], newer),
        **renamed(found, {"Context": "context"}),
        "environment": environment(found["EnvironmentData"], newer),
    }


KINDS = {
    "FieldLogTextItem": ("text", lambda found, newer: renamed(found, {"Text": "text", "Details": "details"})),
    "FieldLogDataItem": ("data", lambda found, newer: renamed(found, {"Name": "name", "Value": "value"})),
    "FieldLogExceptionItem": ("exception", exception_item),
    "FieldLogScopeItem": ("scope", scope),
}


def records(sidecar):
    newer = sidecar["format_version"] == 2
    for found in sidecar["items"]:
        kind, members = KINDS[found["$"]]
        yield {
            "record": kind,
            **renamed(found, NEWER_BASE if newer else BASE),
            "time": time(found["Time"]),
            "priority": enum(found["Priority"], names.PRIORITY),
            **members(found, newer),
        }
