resource "rampart_group_members" "kiosks" {
  group    = "Kiosks"
  host_ids = ["1004", "1005"]
  mode     = "authoritative"
}
