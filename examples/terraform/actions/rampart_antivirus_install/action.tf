# terraform apply -invoke=action.rampart_antivirus_install.kiosks
action "rampart_antivirus_install" "kiosks" {
  config {
    host_ids = ["1004", "1005"]
    acks     = { antivirus = 2 }
  }
}
