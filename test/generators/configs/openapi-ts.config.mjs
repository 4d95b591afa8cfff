export default {
  input: process.env.DESCRIPTION,
  output: `${process.env.OUT}/hey-api`,
  plugins: [
    '@hey-api/typescript',
    '@hey-api/sdk',
    '@hey-api/client-fetch',
    '@tanstack/react-query',
    // Times have the offset of the session's time zone.
    { name: 'zod', dates: { offset: true } },
  ],
};
