package resilience

// GeneratedV1 says that this version supports what the first version of the generator writes. Generated code refers to it, so that it
// does not compile with a version of this module that is too old for it, instead of failing in some stranger way.
const GeneratedV1 = true
