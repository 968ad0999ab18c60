package main

func (o *options) write(results []result) error { return nil }
