/* Pictures as PNG: the door to libpng. */
#include "clients/qmon/widgets/png_file.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/uti/answer.h"

enum { PICTURE_MODE = 0666 };

void picture_free(struct picture *p)
{
    free(p->rgb);
    *p = (struct picture){ 0, 0, NULL };
}

static FILE *open_new(const char *path, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, PICTURE_MODE);
    if (fd < 0 && errno == EEXIST)
        return ans_null(ans, STATUS_EEXIST, MSG_QMON_EXISTS_S, path);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL && fd >= 0)
        close(fd);
    return file != NULL ? file : ans_sys_null(ans, errno, MSG_QMON_PICTURE_S, path);
}

int png_file_write(const char *path, const struct picture *p, struct answer *ans)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = p->width,
                        .height = p->height,
                        .format = PNG_FORMAT_RGB };
    FILE *file = open_new(path, ans);
    if (file == NULL)
        return -1;
    bool is_written = png_image_write_to_stdio(&image, file, 0, p->rgb, 0, NULL) != 0;
    bool is_closed = fclose(file) == 0;
    if (is_written && is_closed)
        return 0;
    (void)unlink(path);
    return ans_fail(ans, STATUS_EDISK, MSG_QMON_PICTURE_WHY_SS, path,
                    is_written ? strerror(errno) : image.message);
}
