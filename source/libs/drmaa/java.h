#ifndef DRMAA_JAVA_H
#define DRMAA_JAVA_H

#include "common/basis.h"

/* The native half of the Java binding (package libdrmaa1.0-java of Debian, org.ggf.drmaa): the
 * methods that its class com.sun.grid.drmaa.SessionImpl leaves to libdrmaa. They stand on drmaa.h
 * alone; what fails there is thrown here. JT is what nativeAllocateJobTemplate returned. */

/* What java.c calls of a Java virtual machine. The machine passes a table of functions whose places
 * are fixed for all time; with those that are needed written down here, building takes nothing of a
 * JDK. Source: Java Native Interface Specification, chapter 4 "Interface Function Table" */
typedef struct java_object *jobject;
typedef jobject jclass, jstring, jarray, jthrowable;
typedef struct java_method *jmethodID;
typedef int32_t jint;
typedef int64_t jlong;
typedef uint8_t jboolean;
typedef const struct java_functions *JNIEnv;

struct java_functions {
    void *before_find_class[6];
    jclass (*find_class)(JNIEnv *env, const char *name);
    void *before_throw_new[7];
    jint (*throw_new)(JNIEnv *env, jclass class, const char *text);
    void *before_delete_local_ref[8];
    void (*delete_local_ref)(JNIEnv *env, jobject o);
    void *before_new_object[4];
    jobject (*new_object)(JNIEnv *env, jclass class, jmethodID constructor, ...);
    void *before_get_method_id[4];
    jmethodID (*get_method_id)(JNIEnv *env, jclass class, const char *name, const char *signature);
    void *before_new_string_utf[133];
    jstring (*new_string_utf)(JNIEnv *env, const char *text);
    void *before_get_string_utf_chars[1];
    const char *(*get_string_utf_chars)(JNIEnv *env, jstring s, jboolean *is_copy);
    void (*release_string_utf_chars)(JNIEnv *env, jstring s, const char *text);
    jint (*get_array_length)(JNIEnv *env, jarray a);
    jarray (*new_object_array)(JNIEnv *env, jint n, jclass class, jobject initial);
    jobject (*get_object_array_element)(JNIEnv *env, jarray a, jint i);
    void (*set_object_array_element)(JNIEnv *env, jarray a, jint i, jobject o);
    void *before_exception_check[53];
    jboolean (*exception_check)(JNIEnv *env);
};
#define JAVA_PLACE(member, place)                                                                  \
    _Static_assert(offsetof(struct java_functions, member) == (place) * sizeof(void *), #member)
JAVA_PLACE(find_class, 6);
JAVA_PLACE(throw_new, 14);
JAVA_PLACE(delete_local_ref, 23);
JAVA_PLACE(new_object, 28);
JAVA_PLACE(get_method_id, 33);
JAVA_PLACE(new_string_utf, 167);
JAVA_PLACE(get_string_utf_chars, 169);
JAVA_PLACE(release_string_utf_chars, 170);
JAVA_PLACE(get_array_length, 171);
JAVA_PLACE(new_object_array, 172);
JAVA_PLACE(get_object_array_element, 173);
JAVA_PLACE(set_object_array_element, 174);
JAVA_PLACE(exception_check, 228);
#undef JAVA_PLACE

#define JAVA_METHOD(type, name, ...)                                                               \
    type Java_com_sun_grid_drmaa_SessionImpl_native##name(JNIEnv *env, jobject self, ##__VA_ARGS__)

JAVA_METHOD(void, Init, jstring contact);
JAVA_METHOD(void, Exit);
JAVA_METHOD(jstring, GetContact);
JAVA_METHOD(jstring, GetDRMSInfo);

JAVA_METHOD(jint, AllocateJobTemplate);
JAVA_METHOD(void, DeleteJobTemplate, jint jt);
JAVA_METHOD(void, SetAttributeValue, jint jt, jstring name, jstring value);
JAVA_METHOD(void, SetAttributeValues, jint jt, jstring name, jarray values);
/* null: the attribute is not set */
JAVA_METHOD(jarray, GetAttribute, jint jt, jstring name);
JAVA_METHOD(jarray, GetAttributeNames, jint jt);

JAVA_METHOD(jstring, RunJob, jint jt);
JAVA_METHOD(jarray, RunBulkJobs, jint jt, jint start, jint end, jint step);
JAVA_METHOD(void, Control, jstring id, jint action);
JAVA_METHOD(jint, GetJobProgramStatus, jstring id);
JAVA_METHOD(void, Synchronize, jarray ids, jlong timeout, jboolean dispose);
JAVA_METHOD(jobject, Wait, jstring id, jlong timeout);

#endif
