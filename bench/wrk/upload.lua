-- A body of 7.7 MB.
wrk.method = "POST"
wrk.body = string.rep("0123456789abcdef", 481250)
