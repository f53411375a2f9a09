// What the commands' JSON says of something that may not be there.
#pragma once

#include "controller/view/json.h"
