# Without an account: the provider emulates the service, with 40 generated hosts.
terraform {
  required_providers {
    rampart = {
      source  = "acme/rampart"
      version = "~> 0.1"
    }
  }
}

provider "rampart" {
  emulator {
    state_file = "fleet-state.yaml"
  }
}

data "rampart_hosts" "all" {}

output "names" {
  value = [for host in data.rampart_hosts.all.hosts : host.name]
}
