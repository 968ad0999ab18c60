// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// func fetch(e *entry)
TEXT ·fetch(SB), NOSPLIT, $0-8
	MOVD e+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET
