// SPDX-License-Identifier: GPL-2.0-only
/*
 * An SPI controller without a wire. What is clocked out of /dev/spidev0.0 can be read from /dev/tapspi, transfer by
 * transfer. First come the clock in Hz and the number of bytes, 32 bits each in the machine's order, then the bytes.
 *
 * A transfer waits while nobody reads what came before it, for a second at most. Then it is lost and counted (module
 * parameter lost).
 */
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/wait.h>

#define ROOM (1 << 18) /* bytes; a power of two */

struct head {
	u32 hz;
	u32 bytes;
};

static struct kfifo sent;
static DEFINE_MUTEX(lock); /* of sent */
static DECLARE_WAIT_QUEUE_HEAD(more);
static DECLARE_WAIT_QUEUE_HEAD(room);
static unsigned int lost;
module_param(lost, uint, 0444);
MODULE_PARM_DESC(lost, "transfers that found no room");

static bool put(const struct head *h, const void *data)
{
	bool fits;

	mutex_lock(&lock);
	fits = kfifo_avail(&sent) >= sizeof(*h) + h->bytes;
	if (fits) {
		kfifo_in(&sent, h, sizeof(*h));
		kfifo_in(&sent, data, h->bytes);
	}
	mutex_unlock(&lock);
	return fits;
}

static int tap_transfer(struct spi_controller *ctlr, struct spi_device *dev, struct spi_transfer *t)
{
	struct head h = { .hz = t->speed_hz, .bytes = t->len };

	if (t->rx_buf)
		memset(t->rx_buf, 0xff, t->len); /* a line that nobody drives */
	if (!t->tx_buf)
		return 0;
	if (!wait_event_timeout(room, put(&h, t->tx_buf), HZ))
		lost++;
	wake_up_interruptible(&more);
	return 0;
}

static ssize_t tap_read(struct file *f, char __user *to, size_t n, loff_t *at)
{
	unsigned int copied;
	int err;

	err = wait_event_interruptible(more, !kfifo_is_empty(&sent));
	if (err)
		return err;
	mutex_lock(&lock);
	err = kfifo_to_user(&sent, to, n, &copied);
	mutex_unlock(&lock);
	wake_up(&room);
	return err ? err : copied;
}

static const struct file_operations tap_files = {
	.owner = THIS_MODULE,
	.read = tap_read,
	.llseek = no_llseek,
};

static struct miscdevice tap = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tapspi",
	.fops = &tap_files,
};

static struct platform_device *parent;
static struct spi_controller *wire;

static int __init tap_init(void)
{
	/* spidev takes devices by the names of parts that it knows; this is one of them. */
	struct spi_board_info part = { .modalias = "dh2228fv", .max_speed_hz = 32000000 };
	int err = kfifo_alloc(&sent, ROOM, GFP_KERNEL);

	if (err)
		return err;
	parent = platform_device_register_simple("tapspi", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(parent)) {
		err = PTR_ERR(parent);
		goto no_parent;
	}
	wire = spi_alloc_master(&parent->dev, 0);
	if (!wire) {
		err = -ENOMEM;
		goto no_wire;
	}
	wire->bus_num = 0;
	wire->num_chipselect = 1;
	wire->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	wire->bits_per_word_mask = SPI_BPW_MASK(8);
	wire->transfer_one = tap_transfer;
	err = spi_register_controller(wire);
	if (err) {
		spi_controller_put(wire);
		goto no_wire;
	}
	err = -ENODEV;
	if (!spi_new_device(wire, &part))
		goto no_part;
	err = misc_register(&tap);
	if (!err)
		return 0;
no_part:
	spi_unregister_controller(wire);
no_wire:
	platform_device_unregister(parent);
no_parent:
	kfifo_free(&sent);
	return err;
}

static void __exit tap_exit(void)
{
	misc_deregister(&tap);
	spi_unregister_controller(wire);
	platform_device_unregister(parent);
	kfifo_free(&sent);
}

module_init(tap_init);
module_exit(tap_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("SPI controller whose transfers can be read back");
