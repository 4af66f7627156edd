#include "protocol/http/source_names.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(SourceNames, ScriptsEndInPhp) {
    EXPECT_EQ(source_kind("index.php"), SourceKind::kScript);
    EXPECT_EQ(source_kind("a.b.php"), SourceKind::kScript);
    EXPECT_EQ(source_kind("style.css"), SourceKind::kNone);
    EXPECT_EQ(source_kind("php"), SourceKind::kNone);
    EXPECT_EQ(source_kind("phpinfo"), SourceKind::kNone);
    EXPECT_EQ(source_kind("a.inc.js"), SourceKind::kNone);
    EXPECT_EQ(source_kind(""), SourceKind::kNone);
}

TEST(SourceNames, OtherNamesOfSource) {
    for (const char* name :
         {"a.PHP", "a.Php", "a.phtml", "a.PHAR", "a.phps", "a.php5", "a.php.bak", "a.php~",
          "wp-config.php.save", "a.php.", "a.PhP.swp", "settings.inc", "a.INC", "a.php_", "a.php.txt"})
        EXPECT_EQ(source_kind(name), SourceKind::kOther) << name;
}

TEST(SourceNames, HowSourceBegins) {
    EXPECT_TRUE(begins_as_source("<?php\n"));
    EXPECT_TRUE(begins_as_source("#!/usr/bin/env php\nx"));
    EXPECT_TRUE(begins_as_source("\xEF\xBB\xBF<?PHP "));
    EXPECT_TRUE(begins_as_source("<p><?= 1 ?>"));
    EXPECT_FALSE(begins_as_source("#!/bin/sh\nphp"));
    EXPECT_FALSE(begins_as_source("<?xml version"));
    EXPECT_FALSE(begins_as_source(""));
}

}  // namespace
}  // namespace sluice::http
