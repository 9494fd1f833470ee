package tokenpool

// Recipients returns how many recipients of the account are remembered.
func Recipients(p *Pool, account string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.accounts[account].recipients)
}
