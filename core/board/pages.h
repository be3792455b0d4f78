// Memory for large tables that are read here and there: pages of 2 MB where the system has them, so that
// nearly every access finds its page's address at hand.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace othellier {

template <typename T>
struct HugePages {
    using value_type = T;
    static constexpr std::size_t kPage = std::size_t{2} << 20;

    HugePages() = default;
    template <typename U>
    HugePages(const HugePages<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
        void* memory = ::operator new(bytes, std::align_val_t{kPage});
#if defined(__linux__)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t{kPage}); }
    bool operator==(const HugePages&) const = default;
};

}  // namespace othellier
