// What the parts of the self-check share.
#pragma once

#include <cstdint>

void expect(bool condition, const char* what);
std::uint64_t random_bits();

void check_engine();
void check_network();
void check_patience();
void check_remembered();
