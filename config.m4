dnl For `phpize && ./configure && make`, which installs Sluice into any PHP. Developing it is done with GNUmakefile.
PHP_ARG_ENABLE([sluice],
  [whether to enable Sluice],
  [AS_HELP_STRING([--enable-sluice], [Enable Sluice, the event-driven application server])],
  [yes])

if test "$PHP_SLUICE" != "no"; then
  AC_MSG_CHECKING([whether this PHP can run Sluice])
  sluice_php_version_id=$($PHP_CONFIG --vernum)
  if test "$sluice_php_version_id" -lt 80200; then
    AC_MSG_ERROR([this is PHP $($PHP_CONFIG --version); Sluice needs PHP 8.2 or newer. Choose another with --with-php-config=...])
  fi
  dnl The headers know: php-config does not tell thread safety.
  if grep -q '^#define ZTS 1' "$phpincludedir/main/php_config.h"; then
    AC_MSG_ERROR([this PHP is built with thread safety (ZTS); Sluice needs one without (NTS). Choose another with --with-php-config=...])
  fi
  AC_MSG_RESULT([yes, $($PHP_CONFIG --version)])

  PHP_REQUIRE_CXX()

  AC_MSG_CHECKING([whether $CXX compiles C++20])
  AC_LANG_PUSH([C++])
  sluice_saved_flags=$CXXFLAGS
  CXXFLAGS="$CXXFLAGS -std=c++20"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
    #include <compare>
    #include <concepts>
    #include <span>
    template <std::integral T> constexpr T twice(T value) { return value + value; }
  ]], [[
    static_assert(twice(21) == 42);
    std::span<const char> bytes;
    return static_cast<int>(bytes.size()) <=> 0 == 0 ? 0 : 1;
  ]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$CXX does not compile C++20; g++ 12, clang 14 or newer does. Choose another with CXX=...])])
  CXXFLAGS=$sluice_saved_flags
  AC_LANG_POP([C++])

  AC_PATH_PROG([PKG_CONFIG], [pkg-config], [no])
  if test "$PKG_CONFIG" = "no"; then
    AC_MSG_ERROR([pkg-config is not installed; Sluice asks it for OpenSSL, nghttp2, zlib, Brotli and Zstandard])
  fi
  dnl Each library by the name pkg-config knows, with what the development files are called in Debian.
  for sluice_library in libssl:libssl-dev libcrypto:libssl-dev zlib:zlib1g-dev libnghttp2:libnghttp2-dev dnl
    libbrotlienc:libbrotli-dev libzstd:libzstd-dev; do
    sluice_package=${sluice_library#*:}
    sluice_library=${sluice_library%%:*}
    AC_MSG_CHECKING([for $sluice_library])
    if ! $PKG_CONFIG --exists $sluice_library; then
      AC_MSG_ERROR([no $sluice_library: install its development files (Debian: $sluice_package)])
    fi
    AC_MSG_RESULT([$($PKG_CONFIG --modversion $sluice_library)])
    PHP_EVAL_INCLINE([$($PKG_CONFIG --cflags $sluice_library)])
    PHP_EVAL_LIBLINE([$($PKG_CONFIG --libs $sluice_library)], [SLUICE_SHARED_LIBADD])
  done
  PHP_SUBST([SLUICE_SHARED_LIBADD])

  sluice_root=$(cd "$ext_srcdir" && pwd)
  sluice_version=$(cat "$sluice_root/VERSION")
  sluice_sources=$(cd "$sluice_root" && find src -name '*.cc' ! -name '.*' | sort | tr '\n' ' ')

  dnl PHP's own headers are not ours to keep free of warnings: -isystem takes the place of the -I that phpize adds.
  sluice_php_includes=$($PHP_CONFIG --includes | sed 's/-I/-isystem /g')
  dnl Warnings are errors in GNUmakefile only: a newer compiler's new warning is no reason not to install.
  PHP_NEW_EXTENSION([sluice], [$sluice_sources], [$ext_shared],,
    [-std=c++20 -g -fno-exceptions -fno-rtti -fvisibility=hidden -pthread -Wall -Wextra dnl
-I@ext_srcdir@/src $sluice_php_includes -DCOMPILE_DL_SLUICE=1 -DSLUICE_VERSION='\"$sluice_version\"'], [yes])

  dnl The compiler does not tell what the assembler has included.
  cat >>Makefile.objects <<EOF
src/php/library/library.lo: $(find "$sluice_root/src/php/library" -name '*.php' | sort | tr '\n' ' ')
src/server/observer/dashboard.lo: $sluice_root/src/server/observer/dashboard.html
EOF

  dnl What debuggers and profilers want to know is put beside the extension, which names that file; it is thirty times as long.
  AC_CHECK_TOOL([OBJCOPY], [objcopy], [no])
  if test "$OBJCOPY" != "no"; then
    cat >>Makefile.objects <<EOF
all install-modules: modules/sluice.so.debug
modules/sluice.so.debug: \$(phplibdir)/sluice.la
	@$OBJCOPY --only-keep-debug modules/sluice.so \$@
	@$OBJCOPY --strip-unneeded --add-gnu-debuglink=\$@ modules/sluice.so
EOF
  fi

  for sluice_dir in $(cd "$sluice_root" && find src -type d | sort); do
    PHP_ADD_BUILD_DIR([$ext_builddir/$sluice_dir])
  done
fi
