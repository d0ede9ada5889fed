/** A type with all fields read-only. Index signatures are dropped. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as string extends Key ? never : Key]: DeepReadonly<Value[Key]> }
    : Value
