/** Commands to be run after a turn that is done. */
export type AfterSteps = string | readonly (string | readonly string[])[];
