/* Writes observations, which games pack into words, as tensors into buffers of the caller: float32 or bytes.

A `Plan` knows for each bit of the words which items of a row show it, and for each number its word, item and scale. Few
bits are set and fewer change from one decision to the next, so only these are visited. A row may be split in two: planes,
perhaps as bytes, in one tensor and fields in another. `ludotheque.arrays` makes plans from layouts; `ludotheque._plan` says
the same in NumPy, for where nothing is compiled, and a test compares the two. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

typedef struct {
    int32_t from; /* the place of a bit, or the word of a number */
    int32_t item;
} Pair;

typedef struct {
    PyObject_HEAD
    Py_ssize_t words; /* of a row */
    Py_ssize_t items; /* of a row */
    Py_ssize_t split; /* the items from here on lie in the second tensor */
    Py_ssize_t first_number_item;
    Pair *bits;            /* ascending by place */
    int32_t *first_bit;    /* by place, and one more: where its pairs begin */
    Pair *numbers;         /* ascending by word */
    int32_t *first_number; /* by word, and one more */
    double *scales;        /* by number */
    int64_t *nothing;      /* a row of words that are 0 */
} Plan;

static int lowest_bit(uint64_t bits)
{
#ifdef _MSC_VER
    unsigned long place;
    _BitScanForward64(&place, bits);
    return (int)place;
#else
    return __builtin_ctzll(bits);
#endif
}

/* Where to write a row: `floats` or else `bytes`, and what is split off. */
typedef struct {
    float *floats;
    uint8_t *bytes;
    float *second;
} Row;

static inline void write_item(const Plan *plan, Row row, int32_t item, float value)
{
    if (item >= plan->split)
        row.second[item - plan->split] = value;
    else if (row.floats != NULL)
        row.floats[item] = value;
    else
        row.bytes[item] = (uint8_t)value;
}

/* Write one observation where it differs from the words that the row shows. */
static void write_row(const Plan *plan, const int64_t *words, const int64_t *shown, Row row)
{
    for (Py_ssize_t word = 0; word < plan->words; word++) {
        uint64_t changed = (uint64_t)words[word] ^ (uint64_t)shown[word];
        if (changed == 0)
            continue;
        for (int32_t number = plan->first_number[word]; number < plan->first_number[word + 1]; number++)
            write_item(plan, row, plan->numbers[number].item, (float)((double)words[word] / plan->scales[number]));
        for (; changed != 0; changed &= changed - 1) {
            int bit = lowest_bit(changed);
            float value = (float)((words[word] >> bit) & 1);
            const int32_t *first = plan->first_bit + 64 * word + bit;
            for (int32_t i = first[0]; i < first[1]; i++)
                write_item(plan, row, plan->bits[i].item, value);
        }
    }
}

/* Write all rows; without `shown` everything, with it what differs, and keep it true. */
static void write_rows(const Plan *plan, Py_ssize_t rows, const int64_t *words, int64_t *shown, char *out,
                       Py_ssize_t item_size, float *second)
{
    size_t row_size = (size_t)(plan->split * item_size);
    size_t second_size = (size_t)(plan->items - plan->split);
    for (; rows > 0; rows--, words += plan->words, out += row_size) {
        Row row = {item_size == sizeof(float) ? (float *)out : NULL, (uint8_t *)out, second};
        if (shown == NULL) {
            memset(out, 0, row_size);
            if (second != NULL)
                memset(second, 0, second_size * sizeof(float));
        }
        write_row(plan, words, shown == NULL ? plan->nothing : shown, row);
        if (second != NULL)
            second += second_size;
        if (shown != NULL) {
            memcpy(shown, words, (size_t)plan->words * sizeof(int64_t));
            shown += plan->words;
        }
    }
}

static int is_words(const Py_buffer *view)
{
    return view->itemsize == sizeof(int64_t) && view->format != NULL && strchr("ql", view->format[0]) != NULL;
}

/* How many rows the buffers hold; -1 with an error if they do not belong together. */
static Py_ssize_t count_rows(const Plan *plan, const Py_buffer *words, const Py_buffer *out, const Py_buffer *shown,
                             const Py_buffer *second)
{
    int floats = out->format != NULL && strcmp(out->format, "f") == 0;
    int bytes = out->format != NULL && strlen(out->format) == 1 && strchr("Bb?", out->format[0]) != NULL;
    if (!is_words(words) || (shown != NULL && !is_words(shown))) {
        PyErr_SetString(PyExc_TypeError, "Words are 64-bit integers.");
        return -1;
    }
    if ((!floats && (!bytes || plan->first_number_item < plan->split))
        || (second != NULL && (second->format == NULL || strcmp(second->format, "f") != 0))) {
        PyErr_SetString(PyExc_TypeError, "Tensors are float32, or uint8 where there are no numbers.");
        return -1;
    }
    Py_ssize_t rows = words->len / (Py_ssize_t)sizeof(int64_t) / plan->words;
    if (rows * plan->words * (Py_ssize_t)sizeof(int64_t) != words->len || rows * plan->split * out->itemsize != out->len
        || (second == NULL ? plan->split < plan->items
                           : rows * (plan->items - plan->split) * (Py_ssize_t)sizeof(float) != second->len)
        || (shown != NULL && shown->len != words->len)) {
        PyErr_SetString(PyExc_ValueError, "The words and the tensor have different numbers of rows.");
        return -1;
    }
    return rows;
}

#define WRITABLE (PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE)

static PyObject *plan_write(Plan *plan, PyObject *args)
{
    PyObject *words_given, *out_given, *shown_given = Py_None, *second_given = Py_None;
    Py_buffer words = {0}, out = {0}, shown = {0}, second = {0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "OO|OO", &words_given, &out_given, &shown_given, &second_given))
        return NULL;
    if (PyObject_GetBuffer(words_given, &words, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0
        && PyObject_GetBuffer(out_given, &out, WRITABLE) == 0
        && (shown_given == Py_None || PyObject_GetBuffer(shown_given, &shown, WRITABLE) == 0)
        && (second_given == Py_None || PyObject_GetBuffer(second_given, &second, WRITABLE) == 0)) {
        Py_ssize_t rows = count_rows(plan, &words, &out, shown.obj ? &shown : NULL, second.obj ? &second : NULL);
        if (rows >= 0) {
            Py_BEGIN_ALLOW_THREADS
            write_rows(plan, rows, words.buf, shown.buf, out.buf, out.itemsize, second.buf);
            Py_END_ALLOW_THREADS
            result = Py_NewRef(Py_None);
        }
    }
    PyBuffer_Release(&second);
    PyBuffer_Release(&shown);
    PyBuffer_Release(&out);
    PyBuffer_Release(&words);
    return result;
}

/* Copy pairs that ascend and lie inside of a row; say where those of each place, or word, begin. 0 for wrong ones. */
static int take_pairs(const char *given, Py_ssize_t count, Py_ssize_t sources, Py_ssize_t items, Pair **pairs,
                      int32_t **first)
{
    *pairs = PyMem_Calloc((size_t)count + 1, sizeof(Pair));
    *first = PyMem_Calloc((size_t)sources + 1, sizeof(int32_t));
    if (*pairs == NULL || *first == NULL)
        return PyErr_NoMemory() != NULL;
    memcpy(*pairs, given, (size_t)count * sizeof(Pair));
    for (Py_ssize_t i = 0; i < count; i++) {
        Pair pair = (*pairs)[i];
        if (pair.from < (i > 0 ? (*pairs)[i - 1].from : 0) || pair.from >= sources || pair.item < 0 || pair.item >= items) {
            PyErr_Format(PyExc_ValueError, "Pair %zd is out of order, or lies outside of the row.", i);
            return 0;
        }
        (*first)[pair.from + 1]++;
    }
    for (Py_ssize_t source = 0; source < sources; source++)
        (*first)[source + 1] += (*first)[source];
    return 1;
}

static PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    Py_ssize_t words, items, split, bits_size, numbers_size, scales_size;
    const char *bits, *numbers, *scales;
    if (!PyArg_ParseTuple(args, "nnny#y#y#", &words, &items, &split, &bits, &bits_size, &numbers, &numbers_size, &scales,
                          &scales_size))
        return NULL;
    Py_ssize_t number_count = scales_size / (Py_ssize_t)sizeof(double);
    if (words < 1 || words > INT32_MAX / 64 || split < 0 || split > items || items > INT32_MAX || bits_size % (Py_ssize_t)sizeof(Pair) != 0
        || numbers_size != number_count * (Py_ssize_t)sizeof(Pair)) {
        PyErr_SetString(PyExc_ValueError, "A plan has pairs of integers, and a scale for each number.");
        return NULL;
    }
    Plan *plan = (Plan *)type->tp_alloc(type, 0);
    if (plan == NULL)
        return NULL;
    plan->words = words;
    plan->items = items;
    plan->split = split;
    plan->scales = PyMem_Calloc((size_t)number_count + 1, sizeof(double));
    plan->nothing = PyMem_Calloc((size_t)words, sizeof(int64_t));
    if (plan->scales == NULL || plan->nothing == NULL) {
        Py_DECREF(plan);
        return PyErr_NoMemory();
    }
    memcpy(plan->scales, scales, (size_t)scales_size);
    if (!take_pairs(bits, bits_size / (Py_ssize_t)sizeof(Pair), 64 * words, items, &plan->bits, &plan->first_bit)
        || !take_pairs(numbers, number_count, words, items, &plan->numbers, &plan->first_number)) {
        Py_DECREF(plan);
        return NULL;
    }
    plan->first_number_item = items;
    for (Py_ssize_t i = 0; i < number_count; i++)
        if (plan->numbers[i].item < plan->first_number_item)
            plan->first_number_item = plan->numbers[i].item;
    return (PyObject *)plan;
}

static void plan_free(Plan *plan)
{
    PyTypeObject *type = Py_TYPE(plan);
    PyMem_Free(plan->bits);
    PyMem_Free(plan->first_bit);
    PyMem_Free(plan->numbers);
    PyMem_Free(plan->first_number);
    PyMem_Free(plan->scales);
    PyMem_Free(plan->nothing);
    type->tp_free(plan);
    Py_DECREF(type);
}

static PyMethodDef plan_methods[] = {
    {"write", (PyCFunction)plan_write, METH_VARARGS, "Write words into a tensor; see _unpack.pyi."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_doc, "Which items of a tensor show which bits and numbers of the words."},
    {Py_tp_new, plan_new},
    {Py_tp_dealloc, plan_free},
    {Py_tp_methods, plan_methods},
    {0, NULL},
};

static PyType_Spec plan_spec = {"ludotheque._unpack.Plan", sizeof(Plan), 0, Py_TPFLAGS_DEFAULT, plan_slots};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "ludotheque._unpack", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__unpack(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made == NULL)
        return NULL;
    PyObject *type = PyType_FromSpec(&plan_spec);
    if (type == NULL || PyModule_AddObjectRef(made, "Plan", type) < 0) {
        Py_XDECREF(type);
        Py_DECREF(made);
        return NULL;
    }
    Py_DECREF(type);
    return made;
}
