terraform {
  required_providers {
    rampart = {
      source  = "acme/rampart"
      version = "~> 0.1"
    }
  }
}

variable "rampart_psk" {
  type      = string
  sensitive = true
  ephemeral = true
}

provider "rampart" {
  base_url   = "https://remote.example.com"
  company_id = "1234567890"
  psk        = var.rampart_psk
}
