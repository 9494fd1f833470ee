//go:build unix

package main

import (
	"os"
	"syscall"
)

// maxResident is the largest size of a process and those that it started, in the unit of the system.
func maxResident(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss)
}
