"""The names of enumeration values, as numbered in FieldLog's own sources."""

PRIORITY = {
    0: "trace", 1: "checkpoint", 2: "info", 3: "notice", 4: "warning", 5: "error", 6: "critical",
}

SCOPE_TYPE = {
    0: "enter", 1: "leave", 2: "thread_start", 3: "thread_end", 4: "log_start", 5: "log_shutdown",
    6: "web_request_start", 7: "web_request_end",
}

OS_TYPE = {
    0: "client", 1: "server", 2: "server_core",
}

OS_VERSION = {
    0: "unknown", 1: "non_windows", 10: "windows_98", 11: "windows_98_se", 12: "windows_me",
    13: "windows_nt4", 14: "windows_2000", 15: "windows_xp", 16: "windows_vista", 17: "windows_7",
    18: "windows_8", 19: "windows_8_1", 20: "windows_10", 100: "server_2000", 101: "home_server",
    102: "server_2003", 103: "server_2003_r2", 104: "server_2008", 105: "server_2008_r2",
    106: "server_2012", 107: "server_2012_r2", 108: "server_2016", 200: "future",
}

OS_EDITION = {
    0: "none_given", 1: "w2000_professional", 2: "w2000_server", 3: "w2000_advanced_server",
    4: "w2000_datacenter_server", 5: "xp_starter", 6: "xp_home", 7: "xp_professional",
    8: "xp_media_center", 9: "xp_tablet_pc", 10: "xp_professional_x64", 11: "vista_starter",
    12: "vista_home_basic", 13: "vista_home_premium", 14: "vista_business", 15: "vista_enterprise",
    16: "vista_ultimate", 17: "w7_starter", 18: "w7_home_basic", 19: "w7_home_premium",
    20: "w7_professional", 21: "w7_enterprise", 22: "w7_ultimate", 23: "w8_core", 24: "w8_pro",
    25: "w8_enterprise", 26: "w10_home", 27: "w10_pro", 28: "w10_enterprise", 100: "s2003_web",
    101: "s2003_standard", 102: "s2003_enterprise", 103: "s2003_datacenter", 104: "s2003_cluster",
    105: "s2003_storage", 106: "s2003_small_business", 107: "s2003_home", 108: "s2008_foundation",
    109: "s2008_standard", 110: "s2008_enterprise", 111: "s2008_datacenter", 112: "s2008_hpc",
    113: "s2008_web", 114: "s2008_storage", 115: "s2008_small_business",
    116: "s2008_essential_business", 117: "s2012_foundation", 118: "s2012_essentials",
    119: "s2012_standard", 120: "s2012_datacenter",
}
