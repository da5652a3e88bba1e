/** A row of the API as the store has it: these fields are times, which become text in a response. */
export type Stored<Row, Times extends keyof Row> = Readonly<Omit<Row, Times>> & {
  readonly [Name in Times]: Date | Extract<Row[Name], null>;
};
