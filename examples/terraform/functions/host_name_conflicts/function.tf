locals {
  names = ["BER-WEB-01", "BER-WEB-02"]
}

check "names_are_unique" {
  assert {
    condition     = provider::rampart::host_name_conflicts(local.names) == tolist([])
    error_message = "Names conflict."
  }
}
