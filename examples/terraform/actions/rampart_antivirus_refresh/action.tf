action "rampart_antivirus_refresh" "servers" {
  config {
    host_ids = ["9007199254740993", "1002"]
  }
}

# Asks the hosts to report after each change.
resource "terraform_data" "rollout" {
  input = "2026-11"
  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.rampart_antivirus_refresh.servers]
    }
  }
}
