#ifndef DRMAA_JAVA_H
#define DRMAA_JAVA_H

#include "libs/drmaa/java_env.h"

/* The native half of the Java binding (package libdrmaa1.0-java of Debian, org.ggf.drmaa): the
 * methods that its class com.sun.grid.drmaa.SessionImpl leaves to libdrmaa. They stand on drmaa.h
 * alone; what fails there is thrown here. JT is what nativeAllocateJobTemplate returned. */
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
