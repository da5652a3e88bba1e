# terraform apply -invoke=action.rampart_inventory_pull.all
action "rampart_inventory_pull" "all" {
  config {
    kinds   = ["hardware"]
    max_age = "24h"
  }
}
