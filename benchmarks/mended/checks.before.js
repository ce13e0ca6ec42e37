// Prints the checksum of each of many small texts, by a command.
const fs = require("fs");
const { execFileSync } = require("child_process");
const lines = fs.readFileSync("lines", "utf8").split("\n", 150);
for (const line of lines) {
  const sum = execFileSync("md5sum", { input: line }).toString().slice(0, 32);
  console.log(sum, line);
}
