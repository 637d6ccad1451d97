/* A picture becomes a PNG file that says the same, and no file that is there is touched. */
#include "clients/qmon/widgets/png_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

static const unsigned char colors[] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3 };

static struct picture two_by_two(void)
{
    struct picture p = { 2, 2, uti_alloc(sizeof colors) };
    memcpy(p.rgb, colors, sizeof colors);
    return p;
}

/* a name in a directory of its own; free() it */
static char *new_path(char *dir)
{
    assert_non_null(mkdtemp(dir));
    char *path = uti_alloc(64);
    snprintf(path, 64, "%s/a.png", dir);
    return path;
}

static void a_picture_is_written_as_it_is(void **state SGE_UNUSED)
{
    char dir[] = "/tmp/png_file.XXXXXX", *path = new_path(dir);
    struct picture p = two_by_two();
    png_image image = { .version = PNG_IMAGE_VERSION };
    unsigned char read[sizeof colors];
    assert_int_equal(png_file_write(path, &p, NULL), 0);
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    assert_int_equal(PNG_IMAGE_SIZE(image), sizeof colors);
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(read, colors, sizeof colors);
    picture_free(&p);
    unlink(path);
    rmdir(dir);
    free(path);
}

static void a_file_that_is_there_stays_as_it_is(void **state SGE_UNUSED)
{
    char dir[] = "/tmp/png_file.XXXXXX", *path = new_path(dir), word[8] = "";
    struct answer ans = ANSWER_INIT;
    struct picture p = two_by_two();
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("mine", file);
    fclose(file);
    assert_int_equal(png_file_write(path, &p, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    file = fopen(path, "r");
    assert_non_null(fgets(word, sizeof word, file));
    assert_string_equal(word, "mine");
    fclose(file);
    ans_free(&ans);
    picture_free(&p);
    unlink(path);
    rmdir(dir);
    free(path);
}

static void a_place_without_files_is_named(void **state SGE_UNUSED)
{
    struct answer ans = ANSWER_INIT;
    struct picture p = two_by_two();
    assert_int_equal(png_file_write("/proc/none.png", &p, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "/proc/none.png"));
    ans_free(&ans);
    picture_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_written_as_it_is),
        cmocka_unit_test(a_file_that_is_there_stays_as_it_is),
        cmocka_unit_test(a_place_without_files_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
