/* Every error the program can meet: X(name, number, sentence, remedy).
 *
 * The sentence says what happened and ends in a full stop; the remedy says what
 * to do. `hl_error_text` puts the place and the detail between the two. Numbers
 * are stable: add at the end, never renumber. A test demands that each one is
 * raised by some test. */
#pragma once

#define HL_ERROR_LIST(X)                                                                         \
    X(NOMEM, 1, "Out of memory", "Close something large or use a shorter text.")                 \
    X(CANCELLED, 2, "The run was cancelled", "Nothing is wrong: a newer text took its place.")   \
    X(ARGUMENT, 3, "A value is not allowed", "See --help for what is.")                          \
    X(NOT_FOUND, 4, "A file is missing", "Check the path and that you may read it.")             \
    X(READ, 5, "A file could not be read", "Check the disk and the permissions.")                \
    X(WRITE, 6, "A file could not be written", "Check the folder, its permissions and the space on the disk.") \
    X(JSON, 7, "A file is not valid JSON", "Restore it from where it came from.")                \
    X(CONFIG, 8, "A model's configuration cannot be used", "Use a model of a supported family.") \
    X(SAFETENSORS, 9, "A weights file is damaged or not safetensors", "Download or export it again.") \
    X(WEIGHTS, 10, "A model's weights do not fit its configuration", "Take both files from the same model.") \
    X(TOKENIZER, 11, "A tokenizer file cannot be used", "Take the tokenizer.json that belongs to the model.") \
    X(TOO_LONG, 12, "The input is longer than the model's limit", "Use a shorter text.")         \
    X(UNSUPPORTED, 13, "This is not supported", "See the README for what is.")                   \
    X(RECORD, 14, "An attention record is inconsistent", "Please report this with the text that you typed.") \
    X(DISPLAY, 15, "No window can be opened", "Set DISPLAY, or use 'headlight render' to make a picture.") \
    X(FONT, 16, "No usable font was found", "Install the fonts-inter, fonts-jetbrains-mono and fonts-dejavu-core packages.") \
    X(IMAGE, 17, "A picture cannot be opened", "Take a PNG or JPEG picture of at most 64 megapixels.")
