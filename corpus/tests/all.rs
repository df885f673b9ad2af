//! All tests of this crate in one program. A single program links faster than one for each file,
//! and no core waits for the last test of a file. New files are declared here.

mod dump;
mod edits;
mod extension;
mod huge;
mod identities;
mod listing;
mod matrix;
mod mistakes;
mod mutants;
mod plain_answers;
mod real;
mod real_fieldlog;
mod rejected;
mod replaced_rows;
mod steps;
mod trace_cache;
mod twins;
mod vectors;
mod wtf;
