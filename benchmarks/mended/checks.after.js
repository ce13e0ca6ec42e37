// Prints the checksum of each of many small texts, by a module.
const fs = require("fs");
const crypto = require("crypto");
const lines = fs.readFileSync("lines", "utf8").split("\n", 150);
for (const line of lines) {
  const sum = crypto.createHash("md5").update(line).digest("hex");
  console.log(sum, line);
}
