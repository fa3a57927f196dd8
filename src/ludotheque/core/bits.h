/* The functions of `bits.py` that the compiled rules spend most time in, as the processor has them.

`setup.py` includes this file before every C file that mypyc writes, so that calls become these. The C file of `bits.py`
itself keeps what mypyc made of it, and pure mode plays by the Python code: tests that compare the two modes move by move
compare these functions too. Without GCC or Clang nothing here is used. */

#ifdef __GNUC__

#ifndef LUDOTHEQUE_BITS
#define LUDOTHEQUE_BITS
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define EVERY_BYTE(byte) (0x0101010101010101ull * (byte))

static inline int64_t bits_popcount(int64_t bits)
{
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcountll((uint64_t)bits);
#else
    uint64_t counts = (uint64_t)bits;
    counts -= (counts >> 1) & EVERY_BYTE(0x55);
    counts = (counts & EVERY_BYTE(0x33)) + ((counts >> 2) & EVERY_BYTE(0x33));
    return (int64_t)((((counts + (counts >> 4)) & EVERY_BYTE(0x0f)) * EVERY_BYTE(1)) >> 56);
#endif
}

static inline int64_t bits_place_of(int64_t bit)
{
    return bit == 0 ? 0 : __builtin_ctzll((uint64_t)bit);
}

/* Select without branches (Vigna, "Broadword implementation of rank/select queries"): find the byte of the k-th bit by
   the counts of all bytes up to each, then the bit in that byte in the same way. */
static inline int64_t bits_kth_place(int64_t bits, int64_t k)
{
    uint64_t set = (uint64_t)bits;
    uint64_t counts = set - ((set >> 1) & EVERY_BYTE(0x55));
    counts = (counts & EVERY_BYTE(0x33)) + ((counts >> 2) & EVERY_BYTE(0x33));
    counts = ((counts + (counts >> 4)) & EVERY_BYTE(0x0f)) * EVERY_BYTE(1);
    uint64_t passed = ((EVERY_BYTE((uint64_t)k) | EVERY_BYTE(0x80)) - counts) & EVERY_BYTE(0x80);
    uint64_t place = ((passed >> 7) * EVERY_BYTE(1) >> 56) * 8;
    uint64_t rest = (uint64_t)k - (((counts << 8) >> place) & 255);
    uint64_t spread = (((set >> place) & 255) * EVERY_BYTE(1)) & 0x8040201008040201ull;
    uint64_t ones = (((spread | ((spread | EVERY_BYTE(0x80)) - EVERY_BYTE(1))) & EVERY_BYTE(0x80)) >> 7) * EVERY_BYTE(1);
    passed = ((EVERY_BYTE(rest) | EVERY_BYTE(0x80)) - ones) & EVERY_BYTE(0x80);
    return (int64_t)(place + ((passed >> 7) * EVERY_BYTE(1) >> 56));
}

static inline int64_t bits_kth_bit(int64_t bits, int64_t k)
{
    return (int64_t)(1ull << bits_kth_place(bits, k));
}

static inline int64_t bits_write_numbers(PyObject *found, int64_t at, PyObject *numbers, int64_t first, int64_t bits)
{
    for (uint64_t set = (uint64_t)bits; set != 0; set &= set - 1) {
        PyObject *before = PyList_GET_ITEM(found, at);
        PyObject *number = PyList_GET_ITEM(numbers, first + __builtin_ctzll(set));
        Py_INCREF(number);
        PyList_SET_ITEM(found, at++, number);
        Py_DECREF(before);
    }
    return at;
}

static inline double bits_as_float(int64_t number)
{
    return (double)number;
}

#undef EVERY_BYTE
#endif

#define CPyDef_bits___popcount(bits) bits_popcount(bits)
#define CPyDef_bits___place_of(bit) bits_place_of(bit)
#define CPyDef_bits___kth_place(bits, k) bits_kth_place(bits, k)
#define CPyDef_bits___kth_bit(bits, k) bits_kth_bit(bits, k)
#define CPyDef_bits___as_float(number) bits_as_float(number)
#define CPyDef_bits___write_numbers(found, at, numbers, first, bits) bits_write_numbers(found, at, numbers, first, bits)

#endif
