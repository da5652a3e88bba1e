# By the company ID of the account. The state has a host block for each host of the account.
terraform import rampart_fleet.all 1234567890
