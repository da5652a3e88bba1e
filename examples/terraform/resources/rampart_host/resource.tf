# Taken over by its id, which never changes.
resource "rampart_host" "web" {
  host_id = "9007199254740993"
  name    = "BER-WEB-01"
  group   = "Berlin Servers"
}

# Taken over by its name, or by what it was called before.
resource "rampart_host" "lobby" {
  name       = "BER-LOBBY"
  previously = ["LOBBY"]
  antivirus  = "installed"
}

# Two hosts that trade their names in one apply.
resource "rampart_host" "second" {
  host_id = "1002"
  name    = "BER-WEB-03"
}

resource "rampart_host" "third" {
  host_id = "1003"
  name    = "BER-WEB-02"
}
