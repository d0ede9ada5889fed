/** Data that is not changed any more; of objects, only fields that have a name are kept. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as string extends Key ? never : Key]: DeepReadonly<Value[Key]> }
    : Value
