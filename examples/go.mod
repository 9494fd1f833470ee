module github.com/dujiang-go/dujiang/examples

go 1.26.0

require github.com/dujiang-go/dujiang v0.1.0

replace github.com/dujiang-go/dujiang => ../
