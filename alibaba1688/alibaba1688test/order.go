package alibaba1688test

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The states of an order.
const (
	StatusWaitBuyerPay     = "waitbuyerpay"
	StatusWaitSellerSend   = "waitsellersend"
	StatusWaitBuyerReceive = "waitbuyerreceive"
	StatusSuccess          = "success"
	StatusCancel           = "cancel"
)

// firstOrder has 19 digits: a reader that takes ids for floating point numbers gets others. Between two orders is room for the ids of
// their lines.
const (
	firstOrder = int64(2352424230582342934)
	orderStep  = 100
	maxLines   = 50 // of one order; what is more makes further orders
	postFee    = 600
)

// An order is what a buyer bought of one supplier.
type order struct {
	id                                     int64
	out, flow, message, remark, kind       string
	app                                    *app
	receiver                               receiver
	lines                                  []line
	status, closeReason, bill              string
	created, modified                      time.Time
	paid, shipped, received, done, stopped time.Time
}

// A line is one of an order's goods.
type line struct {
	offer    *Offer
	quantity float64
}

// amount returns the line's price in fen.
func (l line) amount() int { return int(float64(l.offer.Price)*l.quantity + 0.5) }

// A receiver is where an order goes, as it came.
type receiver struct {
	AddressID int64  `json:"addressId"`
	FullName  string `json:"fullName"`
	Mobile    string `json:"mobile"`
	Phone     string `json:"phone"`
	PostCode  string `json:"postCode"`
	Province  string `json:"provinceText"`
	City      string `json:"cityText"`
	Area      string `json:"areaText"`
	Town      string `json:"townText"`
	Address   string `json:"address"`
	District  string `json:"districtCode"`
}

func goods(lines []line) (fen int) {
	for _, l := range lines {
		fen += l.amount()
	}
	return fen
}

func (o *order) total() int { return goods(o.lines) + postFee }

func (o *order) idstr() string { return strconv.FormatInt(o.id, 10) }

// An Order is what tests see of the fake's orders.
type Order struct {
	ID         string
	OutOrderID string // the caller's number
	Message    string // the buyer's
	Status     string
	Created    time.Time
	Total      int // goods and freight, in fen
}

// Orders returns all orders, in the order of their creation.
func (s *Server) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Order, len(s.orders))
	for i, o := range s.orders {
		all[i] = Order{ID: o.idstr(), OutOrderID: o.out, Message: o.message, Status: o.status, Created: o.created, Total: o.total()}
	}
	return all
}

// Pay is the buyer's payment of an order that waits for it. An unknown order and one in another state is an error.
func (s *Server) Pay(orderID string) error {
	return s.step(orderID, StatusWaitBuyerPay, StatusWaitSellerSend, func(o *order, now time.Time) { o.paid = now })
}

// Ship is the supplier's sending of a paid order. An unknown order and one in another state is an error.
func (s *Server) Ship(orderID string) error {
	return s.step(orderID, StatusWaitSellerSend, StatusWaitBuyerReceive, func(o *order, now time.Time) {
		o.shipped, o.bill = now, "MU"+o.idstr()[7:]
	})
}

// Receive is the buyer's receipt of a shipped order, which ends it. An unknown order and one in another state is an error.
func (s *Server) Receive(orderID string) error {
	return s.step(orderID, StatusWaitBuyerReceive, StatusSuccess, func(o *order, now time.Time) { o.received, o.done = now, now })
}

func (s *Server) step(orderID, from, to string, change func(*order, time.Time)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.order(orderID)
	if o == nil {
		return fmt.Errorf("alibaba1688test: no order %q", orderID)
	}
	if o.status != from {
		return fmt.Errorf("alibaba1688test: order %s is %s, not %s", orderID, o.status, from)
	}
	now := time.Now()
	o.status, o.modified = to, now
	change(o, now)
	return nil
}

// order returns the order of an id, nil if there is none.
func (s *Server) order(id string) *order {
	i := slices.IndexFunc(s.orders, func(o *order) bool { return o.idstr() == id })
	if i < 0 {
		return nil
	}
	return s.orders[i]
}
