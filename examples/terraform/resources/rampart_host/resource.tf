# Manages an existing host by its id, which never changes.
resource "rampart_host" "web" {
  host_id = "9007199254740993"
  name    = "BER-WEB-01"
  group   = "Berlin Servers"
}

# Manages an existing host by its current or a previous name.
resource "rampart_host" "lobby" {
  name       = "BER-LOBBY"
  previously = ["LOBBY"]
  antivirus  = "installed"
}

# Two hosts swap their names in one apply.
resource "rampart_host" "second" {
  host_id = "1002"
  name    = "BER-WEB-03"
}

resource "rampart_host" "third" {
  host_id = "1003"
  name    = "BER-WEB-02"
}
