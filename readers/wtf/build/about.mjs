export const version = "2015.7.15-1";
