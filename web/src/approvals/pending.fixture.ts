/** A question that waits, as a session lists it. */
export const pendingApproval = (id: string, tool: string, input: unknown) => ({
  id,
  tool,
  input,
  rule: { tool, input },
  ruleReason: null,
  status: 'pending',
  toolCallId: `call-${id}`,
  thread: null,
  interaction: 'i1',
  requested: { seq: 1, at: 1 },
  settled: null,
  by: null,
  reason: null,
  always: false,
})
