#!/usr/bin/env bash
# The jobs of a pipeline for any system: pipeline.sh plan | apply | drift
# Set RAMPART_PSK_FILE to a file with the key. If the system has only variables, write the file first:
#   (umask 077 && printenv KEY > /tmp/rampart_psk) && unset KEY && export RAMPART_PSK_FILE=/tmp/rampart_psk
set -euo pipefail

files=${RAMPART_FILES:-fleet/}
rampart=${RAMPART:-rampart}
# If you use its accounts, read rampart.config.yaml from a reviewed commit: export RAMPART_CONFIG_REF=origin/main

case "${1:?plan, apply or drift}" in
  plan)
    # 2: there are changes. 6: they exceed a limit, and the plan is written anyway.
    code=0
    "$rampart" plan -f "$files" --out plan.json --detailed-exitcode || code=$?
    if [ -f plan.json ]; then
      "$rampart" show plan.json --format markdown > plan.md
      "$rampart" show plan.json --format html > plan.html
    fi
    if [ "$code" = 2 ]; then code=0; fi
    exit "$code"
    ;;
  apply)
    # The reviewed plan file is the approval.
    "$rampart" apply plan.json --max-plan-age 2d
    ;;
  drift)
    "$rampart" drift -f "$files" --detailed-exitcode
    ;;
  *)
    echo "plan, apply or drift" >&2
    exit 3
    ;;
esac
