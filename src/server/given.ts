/** The same without what may be undefined. */
export type Given<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }

/** What was given of an input: a field that was left out is not there. */
export const given = <Value extends object>(value: Value): Given<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Given<Value>
