#!/bin/sh
# Runs a command of a test without a terminal. The roots of the tests name this file in [people] scripts, as a user names a script of CI.
# Ctrl+C is for the command, and its status is what counts.
trap : INT
"$@"
