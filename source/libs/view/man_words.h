#ifndef VIEW_MAN_WORDS_H
#define VIEW_MAN_WORDS_H

struct dstr;

/* man_words - append what PAGE of section 5 of the manual below ROOT says of attribute ATTR, as
 * plain paragraphs; nothing if the page or the attribute is not there. O(page) */
void man_words(const char *root, const char *page, const char *attr, struct dstr *out);
/* man_words_of - the same of the source of a page. Pure */
void man_words_of(const char *source, const char *attr, struct dstr *out);

#endif
