-- Each connection has ten requests.
local number = 0
request = function()
    number = number + 1
    return wrk.format("GET", "/", number % 10 == 0 and { ["Connection"] = "close" } or {})
end
