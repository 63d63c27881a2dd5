// The parts of the system's libcrypto (OpenSSL 3) that ReceiptVerification and its benchmarks call.
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
