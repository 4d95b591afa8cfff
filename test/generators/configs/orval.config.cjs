const input = process.env.DESCRIPTION;

module.exports = {
  fetch: { input, output: { target: `${process.env.OUT}/orval.ts`, client: 'fetch' } },
  zod: {
    input,
    output: {
      target: `${process.env.OUT}/orval-zod.ts`,
      client: 'zod',
      // Times have the offset of the session's time zone.
      override: { zod: { dateTimeOptions: { offset: true } } },
    },
  },
};
